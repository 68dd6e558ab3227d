//! Instance types of clouds and the family that goes into a hardware set's name. Pure.
//!
//! Only known clouds give a family; any other product name is recorded and nothing more.

/// What is known about the instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// Instance type or product name.
    pub instance_type: Option<String>,
    /// `aws-m8g`, `gcp-c4a`, `azure-dsv5`.
    pub family: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cloud {
    Aws,
    Gcp,
    Azure,
}

/// Product names that firmware ships when nobody filled them in.
const FILLERS: [&str; 6] = [
    "to be filled by o.e.m.",
    "system product name",
    "default string",
    "not specified",
    "product name",
    "none",
];

/// Whether the firmware names a known cloud and not the type, so that a flag must.
pub fn needs_flag(vendor: Option<&str>, product: Option<&str>) -> bool {
    let cloud = [vendor, product].into_iter().flatten();
    let cloud = cloud.filter_map(cloud_named_by).next();
    // Microsoft's vendor and product are also those of its hypervisor anywhere else.
    matches!(cloud, Some(Cloud::Aws | Cloud::Gcp))
        && instance(None, vendor, product).family.is_none()
}

/// The instance, from the flag or else from the firmware's vendor and product name.
pub fn instance(flag: Option<&str>, vendor: Option<&str>, product: Option<&str>) -> Instance {
    let named = vendor.and_then(cloud_named_by);
    // Google's firmware names its cloud in the product too; a container may show only that.
    let named = named.or_else(|| product.and_then(cloud_named_by));
    if let Some(given) = flag.and_then(said) {
        // Containers often hide the firmware: the form of the type then says whose it is.
        let clouds = named.map_or_else(|| vec![Cloud::Aws, Cloud::Gcp, Cloud::Azure], |c| vec![c]);
        let family = clouds.into_iter().find_map(|cloud| family(cloud, given));
        return Instance {
            instance_type: Some(given.to_owned()),
            family,
        };
    }
    let Some(product) = product.and_then(said) else {
        return Instance::default();
    };
    Instance {
        instance_type: Some(product.to_owned()),
        family: named.and_then(|cloud| family(cloud, product)),
    }
}

fn said(text: &str) -> Option<&str> {
    let text = text.trim();
    let filler = FILLERS.contains(&text.to_lowercase().as_str());
    (!text.is_empty() && !filler).then_some(text)
}

fn cloud_named_by(vendor: &str) -> Option<Cloud> {
    let vendor = vendor.to_lowercase();
    let clouds = [
        ("amazon", Cloud::Aws),
        ("google", Cloud::Gcp),
        ("microsoft", Cloud::Azure),
    ];
    clouds
        .into_iter()
        .find(|(name, _)| vendor.starts_with(name))
        .map(|(_, cloud)| cloud)
}

fn family(cloud: Cloud, instance_type: &str) -> Option<String> {
    let lower = instance_type.to_lowercase();
    match cloud {
        Cloud::Aws => aws(&lower).map(|family| format!("aws-{family}")),
        Cloud::Gcp => gcp(&lower).map(|family| format!("gcp-{family}")),
        Cloud::Azure => azure(&lower).map(|family| format!("azure-{family}")),
    }
}

/// `m8g.4xlarge` → `m8g`. Families have up to three letters before their generation, which keeps
/// the name of a host from being taken for one.
fn aws(name: &str) -> Option<&str> {
    let sizes = ["nano", "micro", "small", "medium", "large", "xlarge"];
    let (family, size) = name.split_once('.')?;
    let plain = size.trim_start_matches(|c: char| c.is_ascii_digit());
    let known = sizes.contains(&plain) || size.starts_with("metal");
    let letters = family.find(|c: char| !c.is_ascii_lowercase());
    let generation = family.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let generation = generation.trim_start_matches('-');
    let well_formed = matches!(letters, Some(1..=3))
        && generation.starts_with(|c: char| c.is_ascii_digit())
        && generation
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-');
    (known && well_formed).then_some(family)
}

/// `c4a-highcpu-16` → `c4a`.
fn gcp(name: &str) -> Option<&str> {
    let (family, rest) = name.split_once('-')?;
    let kinds = [
        "standard", "highcpu", "highmem", "megamem", "ultramem", "highgpu", "ultragpu", "custom",
        "micro", "small", "medium",
    ];
    let kind = rest.split('-').next()?;
    let mut letters = family.chars();
    let well_formed = letters.next().is_some_and(|c| c.is_ascii_lowercase())
        && letters.next().is_some_and(|c| c.is_ascii_digit())
        && letters.all(|c| c.is_ascii_lowercase());
    (kinds.contains(&kind) && well_formed).then_some(family)
}

/// `Standard_D16s_v5` → `dsv5`: the number of CPUs is the size, not the family.
fn azure(name: &str) -> Option<String> {
    let mut parts = name.strip_prefix("standard_")?.split('_');
    let body = parts.next()?;
    let letters: String = body.chars().take_while(char::is_ascii_lowercase).collect();
    // `4-2` is a size of four CPUs of which two are on.
    let size = |c: char| c.is_ascii_digit() || c == '-';
    let after = body[letters.len()..].trim_start_matches(size);
    let sized = after.len() < body.len() - letters.len();
    let plain = after.chars().all(|c| c.is_ascii_lowercase());
    let version = parts.next_back().unwrap_or_default();
    let versioned = version.is_empty() || version.starts_with('v');
    (!letters.is_empty() && sized && plain && versioned)
        .then(|| format!("{letters}{after}{version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_a_type_gives_the_family() {
        for (flag, family) in [
            ("m8g.4xlarge", Some("aws-m8g")),
            ("c7i.metal-24xl", Some("aws-c7i")),
            ("c7i-flex.large", Some("aws-c7i-flex")),
            ("hpc7a.96xlarge", Some("aws-hpc7a")),
            ("is4gen.medium", Some("aws-is4gen")),
            ("u-6tb1.56xlarge", Some("aws-u-6tb1")),
            ("c4a-highcpu-16", Some("gcp-c4a")),
            ("n2-custom-8-16384", Some("gcp-n2")),
            ("e2-micro", Some("gcp-e2")),
            ("Standard_D16s_v5", Some("azure-dsv5")),
            ("Standard_D4-2s_v5", Some("azure-dsv5")),
            ("Standard_HB120rs_v3", Some("azure-hbrsv3")),
            ("node7.large", None),
            ("big box", None),
            ("standard_", None),
            ("x.y", None),
        ] {
            let found = instance(Some(flag), None, None).family;
            assert_eq!(found.as_deref(), family, "{flag}");
        }
    }

    #[test]
    fn the_firmware_of_a_known_cloud_gives_the_family_or_says_whose_type_it_is() {
        let (google, microsoft) = ("Google Compute Engine", "Virtual Machine");
        for (flag, vendor, product, family) in [
            ("", "Amazon EC2", "m8g.4xlarge", Some("aws-m8g")),
            ("", "Amazon EC2", "c7i.metal-24xl", Some("aws-c7i")),
            ("c4a-highcpu-16", "Google", google, Some("gcp-c4a")),
            ("n2-custom-8-16384", "", google, Some("gcp-n2")),
            (
                "Standard_D16s_v5",
                "Microsoft Corporation",
                "",
                Some("azure-dsv5"),
            ),
            ("m8g.4xlarge", "Google", google, None),
            ("host-7.large", "Amazon EC2", "", None),
            ("", "Google", google, None),
            ("", "Microsoft Corporation", microsoft, None),
            ("", "Dell Inc.", "PowerEdge R750", None),
            ("", "Dell Inc.", "m8g.4xlarge", None),
            ("", "", "m8g.4xlarge", None),
        ] {
            let said = |text: &'static str| (!text.is_empty()).then_some(text);
            let found = instance(said(flag), said(vendor), said(product)).family;
            assert_eq!(found.as_deref(), family, "{flag} {vendor} {product}");
        }
    }

    #[test]
    fn a_cloud_that_hides_the_type_needs_the_flag() {
        for (vendor, product, expected) in [
            (Some("Google"), Some("Google Compute Engine"), true),
            (None, Some("Google Compute Engine"), true),
            (Some("Amazon EC2"), None, true),
            (Some("Amazon EC2"), Some("m8g.large"), false),
            (
                Some("Microsoft Corporation"),
                Some("Virtual Machine"),
                false,
            ),
            (Some("Dell Inc."), Some("PowerEdge R750"), false),
            (None, None, false),
        ] {
            assert_eq!(
                needs_flag(vendor, product),
                expected,
                "{vendor:?} {product:?}"
            );
        }
    }

    #[test]
    fn the_flag_wins_over_the_firmware() {
        let found = instance(Some("c7i.large"), Some("Amazon EC2"), Some("m8g.large"));
        assert_eq!(found.instance_type.as_deref(), Some("c7i.large"));
        assert_eq!(found.family.as_deref(), Some("aws-c7i"));
    }

    #[test]
    fn a_product_name_is_recorded_and_a_filler_is_unknown() {
        let product = |name| instance(None, Some("ASUS"), Some(name)).instance_type;
        assert_eq!(product("PowerEdge R750").as_deref(), Some("PowerEdge R750"));
        assert_eq!(product("System Product Name"), None);
        assert_eq!(product("  "), None);
        assert_eq!(instance(None, None, None), Instance::default());
    }
}
