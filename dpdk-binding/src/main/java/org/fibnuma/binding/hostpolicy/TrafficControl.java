package org.fibnuma.binding.hostpolicy;

import org.fibnuma.binding.bpf.LoadedProgram;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.kernel.HostRestriction;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the filters and programs of traffic control on an interface. One thread. */
final class TrafficControl
{
    private static final int REQUEST_CAPACITY = 64;

    private final NetlinkExchange exchange;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight options = new NetlinkAttributeFlyweight();

    /** Uses an exchange over rtnetlink, which the caller closes. */
    TrafficControl(final NetlinkExchange exchange)
    {
        this.exchange = exchange;
    }

    /** Adds a restriction for each direction that has filters or programs. */
    void read(final int interfaceIndex, final String name, final List<HostRestriction> restrictions)
    {
        read(interfaceIndex, name, true, restrictions);
        read(interfaceIndex, name, false, restrictions);
    }

    private void read(
        final int interfaceIndex, final String name, final boolean ingress, final List<HostRestriction> restrictions)
    {
        final String direction = ingress ? "ingress" : "egress";
        final Set<String> filters = new LinkedHashSet<>();
        // A refusal means that the interface has no queueing discipline for filters.
        exchange.dump(
            request.clear()
                .begin(LinkPolicyLayout.RTM_GETTFILTER, NetlinkLayout.NLM_F_DUMP, exchange.nextSequence(),
                LinkPolicyLayout.TC_LENGTH)
                .putInt(LinkPolicyLayout.TC_INDEX_OFFSET, interfaceIndex)
                .putInt(LinkPolicyLayout.TC_PARENT_OFFSET,
                ingress ? LinkPolicyLayout.TC_INGRESS : LinkPolicyLayout.TC_EGRESS),
            message -> onFilter(message, filters));
        if (!filters.isEmpty())
        {
            restrictions.add(restriction(interfaceIndex, name, ingress, String.join(", ", filters),
                "tc filter show dev " + name + " " + direction));
        }
        for (final int id : LoadedProgram.tcx(interfaceIndex, ingress))
        {
            restrictions.add(restriction(interfaceIndex, name, ingress, "bpf program " + LoadedProgram.describe(id),
                "bpftool net show dev " + name));
        }
    }

    private static HostRestriction restriction(
        final int interfaceIndex, final String name, final boolean ingress, final String what, final String command)
    {
        return new HostRestriction(HostRestriction.Kind.TRAFFIC_CONTROL,
            "tc " + (ingress ? "ingress" : "egress") + " of " + name + ": " + what, command, ingress ?
            HostRestriction.Scope.received(interfaceIndex) : HostRestriction.Scope.device(interfaceIndex));
    }

    /** Handles a message of type RTM_NEWTFILTER: adds the filter's kind, and for bpf the program. */
    void onFilter(final NetlinkMessageFlyweight message, final Set<String> filters)
    {
        if (message.type() != LinkPolicyLayout.RTM_NEWTFILTER ||
            !message.wrapAttributes(attributes, LinkPolicyLayout.TC_LENGTH))
        {
            return;
        }
        String kind = "";
        int program = 0;
        while (attributes.next())
        {
            if (attributes.type() == LinkPolicyLayout.TCA_KIND)
            {
                kind = attributes.textValue();
            }
            else if (attributes.type() == LinkPolicyLayout.TCA_OPTIONS && "bpf".equals(kind))
            {
                program = program();
            }
        }
        // The head of a list of filters is a separate message without a handle.
        if (message.buffer().getInt(message.payloadOffset() + LinkPolicyLayout.TC_HANDLE_OFFSET) != 0)
        {
            filters.add(program == 0 ? "filter " + kind : "bpf program " + LoadedProgram.describe(program));
        }
    }

    private int program()
    {
        return options.wrapNested(attributes).find(LinkPolicyLayout.TCA_BPF_ID) ? options.intValue(0) : 0;
    }
}
