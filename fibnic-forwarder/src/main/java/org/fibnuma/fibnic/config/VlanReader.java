package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigName;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.VlanTag;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the {@code [[port.vlan]]} tables of a static router. */
final class VlanReader
{
    static final int MAX_PCP = 7;

    private static final String CUSTOMER = "802.1q";
    private static final String SERVICE = "802.1ad";
    private static final int NO_ID = 0;

    static final ConfigTable KEYS = new ConfigTable();

    private static final ConfigKey<Integer> ID = KEYS.integer("id", 1, VlanTag.MAX_VID, null)
        .required("give one, such as id = 100").restart("VLAN identifier.");
    private static final ConfigKey<String> PROTOCOL = KEYS.word("protocol", List.of(CUSTOMER, SERVICE), CUSTOMER)
        .restart("EtherType of the tag: 0x8100 or 0x88A8.");
    private static final ConfigKey<Integer> OUTER = KEYS.integer("outer", 1, VlanTag.MAX_VID, null)
        .byDefault("none").restart("With two tags (QinQ): the `id` of the VLAN of the port that has the outer one.");
    private static final ConfigKey<Integer> PCP = KEYS.integer("pcp", 0, MAX_PCP, null)
        .byDefault("`vlan-pcp` of the port").restart("PCP of frames that leave by the VLAN.");
    private static final ConfigKey<String> NAME = KEYS.parsed(
        "name", ConfigName.FORM, "left.customers", ConfigName::parse, null)
        .byDefault("those of the port and its identifiers, as `left.100`")
        .restart("Name of the VLAN, unique among ports and VLANs of the router.");
    private static final ConfigKey<List<String>> ADDRESS = PortReader.addresses(KEYS)
        .restart("Addresses of the router on the VLAN.");
    private static final ConfigKey<Long> MAC = PortReader.mac(KEYS).byDefault("that of the port")
        .restart("MAC address of the VLAN.");
    private static final ConfigKey<Integer> MTU = PortReader.mtu(KEYS)
        .byDefault("that of the port; with an outer tag 4 less").restart("Longest IP packet in bytes.");

    private final PortReader ports;

    VlanReader(final PortReader ports)
    {
        this.ports = ports;
    }

    /** A VLAN without its outer VLAN tag, its section of the file, and the identifier of the outer VLAN tag. */
    private record Entry(VlanConfig vlan, TomlSection section, int outerId)
    {
    }

    /** Reads the VLANs of one port; the default of their PCP is that of the port. */
    List<VlanConfig> read(final TomlSection port, final String portName, final int defaultPcp)
    {
        final List<Entry> entries = new ArrayList<>();
        for (final TomlSection section : port.get(PortReader.VLANS))
        {
            entries.add(entry(section, portName, defaultPcp));
            section.refuseUnknownKeys();
        }
        final List<VlanConfig> vlans = new ArrayList<>();
        final Map<List<Integer>, Integer> lines = new HashMap<>();
        for (final Entry entry : entries)
        {
            final VlanConfig vlan = entry.outerId == NO_ID ? entry.vlan : entry.vlan.withOuter(outer(entry, entries));
            final Integer first = vlan.id() == NO_ID ? null : lines.putIfAbsent(
                List.of(vlan.outer(), vlan.etherType(), vlan.id()), entry.section.lineOf(ID));
            if (first != null)
            {
                entry.section.wrong(ID, "port " + portName + " has VLAN " + vlan.id() + " in line " + first +
                    "; keep one of them");
            }
            else if (vlan.id() != NO_ID)
            {
                ports.refuseSecondName(entry.section, NAME, vlan.name());
            }
            vlans.add(vlan);
        }
        return vlans;
    }

    private Entry entry(final TomlSection section, final String portName, final int defaultPcp)
    {
        final int id = section.get(ID, NO_ID);
        final int outerId = section.get(OUTER, NO_ID);
        final String name = section.get(NAME, portName + "." + (outerId == NO_ID ? "" : outerId + ".") + id);
        final String protocol = section.get(PROTOCOL);
        return new Entry(
            new VlanConfig(
                name, SERVICE.equals(protocol) ? EtherType.SERVICE_VLAN : EtherType.VLAN, id, VlanConfig.NO_OUTER,
                section.get(PCP, defaultPcp), ports.addresses(section, ADDRESS, name), PortReader.mac(section, MAC),
                section.get(MTU, 0)),
            section, outerId);
    }

    /** Returns the position of the outer VLAN; of two with one identifier that with a service VLAN tag. */
    private static int outer(final Entry inner, final List<Entry> entries)
    {
        int found = VlanConfig.NO_OUTER;
        for (int i = 0; i < entries.size(); i++)
        {
            final Entry each = entries.get(i);
            if (each.outerId == NO_ID && each.vlan.id() == inner.outerId &&
                (found == VlanConfig.NO_OUTER || each.vlan.etherType() == EtherType.SERVICE_VLAN))
            {
                found = i;
            }
        }
        if (found == VlanConfig.NO_OUTER)
        {
            inner.section.wrong(OUTER, "the port has no VLAN " + inner.outerId +
                " with a single tag; add a [[port.vlan]] with id = " + inner.outerId + ", or remove outer");
        }
        return found;
    }
}
