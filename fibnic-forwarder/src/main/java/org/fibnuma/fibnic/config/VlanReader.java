package org.fibnuma.fibnic.config;

import org.fibnuma.core.config.ConfigName;
import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.VlanTag;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the {@code [[port.vlan]]} tables of a static router. */
final class VlanReader
{
    static final String VLAN = "vlan";
    static final int MAX_PCP = 7;

    private static final String ID = "id";
    private static final String PROTOCOL = "protocol";
    private static final String OUTER = "outer";
    private static final String NAME = "name";
    private static final String CUSTOMER = "802.1q";
    private static final String SERVICE = "802.1ad";
    private static final int NO_ID = 0;

    private final PortReader ports;

    VlanReader(final PortReader ports)
    {
        this.ports = ports;
    }

    /** A VLAN without its outer tag, where it is in the file, and the identifier of the outer tag. */
    private record Entry(VlanConfig vlan, TomlSection section, int outerId)
    {
    }

    /** Reads the VLANs of one port; the default of their PCP is that of the port. */
    List<VlanConfig> read(final TomlSection port, final String portName, final int defaultPcp)
    {
        final List<Entry> entries = new ArrayList<>();
        for (final TomlSection section : port.tables(VLAN))
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
                ports.refuseSecondName(entry.section, vlan.name());
            }
            vlans.add(vlan);
        }
        return vlans;
    }

    private Entry entry(final TomlSection section, final String portName, final int defaultPcp)
    {
        final int id = section.integer(ID, 1, VlanTag.MAX_VID, NO_ID);
        if (!section.has(ID))
        {
            section.missing(ID, "give one, such as id = 100");
        }
        final int outerId = section.integer(OUTER, 1, VlanTag.MAX_VID, NO_ID);
        final String name = section.parsed(NAME, ConfigName::parse,
            portName + "." + (outerId == NO_ID ? "" : outerId + ".") + id);
        final String protocol = section.oneOf(PROTOCOL, List.of(CUSTOMER, SERVICE), CUSTOMER);
        return new Entry(
            new VlanConfig(
                name, SERVICE.equals(protocol) ? EtherType.SERVICE_VLAN : EtherType.VLAN, id, VlanConfig.NO_OUTER,
                section.integer("pcp", 0, MAX_PCP, defaultPcp), ports.addresses(section, name), PortReader.mac(section),
                section.integer("mtu", PortReader.MIN_MTU, PortReader.MAX_MTU, 0)),
            section, outerId);
    }

    /** Returns the position of the outer VLAN; of two with one identifier the one with a service tag. */
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
