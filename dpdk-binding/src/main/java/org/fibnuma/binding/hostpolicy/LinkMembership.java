package org.fibnuma.binding.hostpolicy;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.rtnetlink.LinkLayout;
import org.fibnuma.core.kernel.HostRestriction;

/** The master and the XDP program of every link of the host. One thread. */
public final class LinkMembership
{
    private static final int REQUEST_CAPACITY = 64;
    private static final String VRF = "vrf";

    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight nested = new NetlinkAttributeFlyweight();
    private final Int2ObjectHashMap<Member> members = new Int2ObjectHashMap<>();

    /** A link: its name, the index and kind of its master, and the id of its XDP program or 0. */
    private record Member(String name, int master, String masterKind, int xdpProgram)
    {
    }

    /**
     * Reads all links again.
     *
     * @param exchange over rtnetlink.
     * @return 0, or the error number where the kernel refused.
     */
    public int read(final NetlinkExchange exchange)
    {
        members.clear();
        return exchange.dump(
            new NetlinkRequest(REQUEST_CAPACITY)
                .begin(LinkLayout.RTM_GETLINK, NetlinkLayout.NLM_F_DUMP, exchange.nextSequence(), LinkLayout.LENGTH)
                .addInt(LinkLayout.IFLA_EXT_MASK, LinkLayout.RTEXT_FILTER_SKIP_STATS),
            this::onLink);
    }

    /** Handles a message of type RTM_NEWLINK. */
    void onLink(final NetlinkMessageFlyweight message)
    {
        if (message.type() != LinkLayout.RTM_NEWLINK || !message.wrapAttributes(attributes, LinkLayout.LENGTH))
        {
            return;
        }
        String name = "";
        String masterKind = "";
        int master = 0;
        int program = 0;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case LinkLayout.IFLA_IFNAME -> name = attributes.textValue();
                case LinkLayout.IFLA_MASTER -> master = attributes.intValue(0);
                case LinkPolicyLayout.IFLA_LINKINFO -> masterKind = masterKind();
                case LinkLayout.IFLA_XDP -> program = xdpProgram();
                default ->
                {
                }
            }
        }
        members.put(
            message.buffer().getInt(message.payloadOffset() + LinkLayout.INDEX_OFFSET),
            new Member(name, master, masterKind, program));
    }

    private String masterKind()
    {
        nested.wrapNested(attributes);
        while (nested.next())
        {
            if (nested.type() == LinkPolicyLayout.IFLA_INFO_SLAVE_KIND)
            {
                return nested.textValue();
            }
        }
        return "";
    }

    private int xdpProgram()
    {
        int id = 0;
        nested.wrapNested(attributes);
        while (nested.next())
        {
            final int type = nested.type();
            if (type >= LinkPolicyLayout.IFLA_XDP_PROG_ID && type <= LinkPolicyLayout.IFLA_XDP_HW_PROG_ID)
            {
                id = nested.intValue(id);
            }
        }
        return id;
    }

    /** Returns the name of a link, or its index as text where there is no such link. */
    public String name(final int interfaceIndex)
    {
        final Member member = members.get(interfaceIndex);
        return member == null ? Integer.toString(interfaceIndex) : member.name;
    }

    /** Returns the kernel's id of the XDP program on a link, 0 where there is none. */
    public int xdpProgram(final int interfaceIndex)
    {
        final Member member = members.get(interfaceIndex);
        return member == null ? 0 : member.xdpProgram;
    }

    /** Returns a restriction for the VRF that a link is in, or null. */
    HostRestriction vrf(final int interfaceIndex)
    {
        final Member member = members.get(interfaceIndex);
        return member == null || !VRF.equals(member.masterKind) ? null : new HostRestriction(
            HostRestriction.Kind.VRF, member.name + " is in the VRF " + name(member.master),
            "ip link show " + member.name);
    }
}
