"""The software bill of materials of the wheel: what is installed with it, as CycloneDX."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from archives import release_time
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from lock import Locked, read
from packageurl import PackageURL

PRODUCT: Final = "codeagentd"
_MARKER: Final = "python:environment-marker"  # where a component is installed


def write(sources: Path, folder: Path, version: str, licence: str) -> Path:
    """Write the bill of materials of the product's `version` under `licence`, made of the lock and the licences in
    `sources`, into `folder`. Returns its path. Errors: SystemExit, where it would not be valid CycloneDX.
    """
    licences: dict[str, str] = json.loads((sources / "packaging/licences.json").read_text())
    locked = read(sources / "packaging/constraints.txt")
    root = _component(PRODUCT, version, licence, ComponentType.APPLICATION)
    components = {entry: _dependency(entry, licences[entry.name]) for entry in locked}
    bom = Bom(components=components.values(), metadata=BomMetaData(component=root, timestamp=_moment()))
    for entry, component in components.items():
        bom.register_dependency(component)
        for user in entry.via:
            for other in [root] if user == PRODUCT else [components[e] for e in locked if e.name == user]:
                bom.register_dependency(other, [component])
    path = folder / f"{PRODUCT}.cdx.json"
    path.write_text(_text(bom))
    return path


def _component(name: str, version: str, licence: str, kind: ComponentType = ComponentType.LIBRARY) -> Component:
    purl = PackageURL("pypi", name=name, version=version)
    licences = [LicenseFactory().make_from_string(licence)]
    return Component(name=name, version=version, type=kind, licenses=licences, purl=purl, bom_ref=str(purl))


def _dependency(entry: Locked, licence: str) -> Component:
    component = _component(entry.name, entry.version, licence)
    hashes = [HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in entry.hashes]
    url = XsUri(str(component.purl))
    component.external_references.add(
        ExternalReference(type=ExternalReferenceType.DISTRIBUTION, url=url, hashes=hashes)
    )
    if entry.marker:
        component.properties.add(Property(name=_MARKER, value=entry.marker))
    return component


def _moment() -> datetime:
    return datetime.fromtimestamp(release_time(), UTC)


def _text(bom: Bom) -> str:
    """The text, with a serial number that is made from its content."""
    bom.serial_number = uuid.UUID(int=0)
    content = JsonV1Dot6(bom).output_as_string(indent=1)
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_OID, content)
    text = JsonV1Dot6(bom).output_as_string(indent=1) + "\n"
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise SystemExit(f"the bill of materials is not valid: {error}")
    return text
