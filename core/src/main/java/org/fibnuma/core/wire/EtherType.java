package org.fibnuma.core.wire;

/** EtherType numbers (IEEE 802 Numbers registry). */
public final class EtherType
{
    /** IPv4 packet (RFC 894). */
    public static final int IPV4 = 0x0800;
    /** ARP packet (RFC 826). */
    public static final int ARP = 0x0806;
    /** IEEE 802.1Q customer tag. */
    public static final int VLAN = 0x8100;
    /** IEEE 802.1Q service tag, the outer tag of QinQ (IEEE 802.1ad). */
    public static final int SERVICE_VLAN = 0x88A8;
    /** IEEE 802.3 Annex 31A: PAUSE, PFC and other frames that are never forwarded beyond the link. */
    public static final int MAC_CONTROL = 0x8808;
    /** IPv6 packet (RFC 2464). */
    public static final int IPV6 = 0x86DD;

    private EtherType()
    {
    }
}
