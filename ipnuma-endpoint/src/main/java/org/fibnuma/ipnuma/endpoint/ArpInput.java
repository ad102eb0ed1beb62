package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.wire.ArpFlyweight;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;

/**
 * Processes ARP packets (RFC 826): passes the sender's addresses to the {@link ArpTable} and answers requests for
 * the endpoint's address. Truncated packets and those for other protocols are dropped.
 */
final class ArpInput
{
    private final int ownIpv4;
    private final long ownMac;
    private final ArpTable arpTable;
    private final ArpOutput output;
    private final EndpointCounters counters;
    private final ArpFlyweight arp = new ArpFlyweight();

    ArpInput(
        final int ownIpv4,
        final long ownMac,
        final ArpTable arpTable,
        final ArpOutput output,
        final EndpointCounters counters)
    {
        this.ownIpv4 = ownIpv4;
        this.ownMac = ownMac;
        this.arpTable = arpTable;
        this.output = output;
        this.counters = counters;
    }

    void process(final long frame, final int length, final long nowNs)
    {
        if (length < EthernetHeaderFlyweight.LENGTH + ArpFlyweight.LENGTH)
        {
            counters.dropped(DropReason.TOO_SHORT);
            return;
        }
        arp.wrap(frame + EthernetHeaderFlyweight.LENGTH);
        if (!arp.isIpv4OverEthernet())
        {
            counters.dropped(DropReason.ARP_MALFORMED);
            return;
        }
        counters.add(EndpointCounter.ARP, 1);
        final long mac = arp.senderMac();
        final int ipv4 = arp.senderIpv4();
        if (ipv4 == ownIpv4)
        {
            counters.add(EndpointCounter.ADDRESS_CONFLICTS, mac == ownMac ? 0 : 1);
        }
        else if (mac != 0 && !MacAddress.isGroup(mac))
        {
            arpTable.onSender(ipv4, mac, nowNs);
            if (arp.operation() == ArpFlyweight.REQUEST && arp.targetIpv4() == ownIpv4)
            {
                output.reply(mac, ipv4);
            }
        }
    }
}
