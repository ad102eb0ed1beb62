package org.fibnuma.binding.hostpolicy;

import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.HostRestriction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The queueing disciplines of all interfaces that may delay, drop or mark packets on purpose. Disciplines that only
 * queue packets until the interface can send them are harmless. One thread.
 */
final class QueueingDisciplines
{
    private static final int REQUEST_CAPACITY = 64;
    private static final int UNLIMITED = -1;
    private static final Set<String> HARMLESS = Set.of(
        "noqueue", "noop", "mq", "pfifo_fast", "pfifo", "bfifo", "fq", "fq_codel", "clsact", "ingress");

    private final NetlinkExchange exchange;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight options = new NetlinkAttributeFlyweight();
    private final Map<Integer, List<String>> byInterface = new HashMap<>();

    /** Uses an exchange over rtnetlink, which the caller closes. */
    QueueingDisciplines(final NetlinkExchange exchange)
    {
        this.exchange = exchange;
    }

    /**
     * Reads the disciplines of all interfaces again. Returns false if the list changed during each attempt.
     *
     * @throws UserException if the kernel refuses.
     */
    boolean read()
    {
        int attempts = 0;
        do
        {
            byInterface.clear();
            final int errno = exchange.dump(request.clear().begin(LinkPolicyLayout.RTM_GETQDISC,
                NetlinkLayout.NLM_F_DUMP, exchange.nextSequence(), LinkPolicyLayout.TC_LENGTH), this::onDiscipline);
            if (errno != 0)
            {
                throw new UserException(
                    "netlink: cannot list the kernel's queueing disciplines: " + exchange.refusal());
            }
            attempts++;
        }
        while (exchange.wasInterrupted() && attempts < NetlinkExchange.DUMP_ATTEMPTS);
        return !exchange.wasInterrupted();
    }

    /** Adds a restriction for the disciplines of an interface, unless all are harmless. */
    void addTo(final List<HostRestriction> restrictions, final int interfaceIndex, final String name)
    {
        final List<String> kinds = byInterface.get(interfaceIndex);
        if (kinds != null)
        {
            restrictions.add(new HostRestriction(HostRestriction.Kind.QUEUEING_DISCIPLINE,
                "queueing discipline of " + name + ": " + String.join(", ", kinds), "tc qdisc show dev " + name,
                HostRestriction.Scope.device(interfaceIndex)));
        }
    }

    /** Handles a message of type RTM_NEWQDISC. */
    void onDiscipline(final NetlinkMessageFlyweight message)
    {
        if (message.type() != LinkPolicyLayout.RTM_NEWQDISC ||
            !message.wrapAttributes(attributes, LinkPolicyLayout.TC_LENGTH))
        {
            return;
        }
        String kind = "";
        boolean limitsRate = false;
        while (attributes.next())
        {
            if (attributes.type() == LinkPolicyLayout.TCA_KIND)
            {
                kind = attributes.textValue();
            }
            else if (attributes.type() == LinkPolicyLayout.TCA_OPTIONS && "fq".equals(kind))
            {
                limitsRate = limitsRateOfFlows();
            }
        }
        if (!HARMLESS.contains(kind) || limitsRate)
        {
            final List<String> kinds = byInterface.computeIfAbsent(
                message.buffer().getInt(message.payloadOffset() + LinkPolicyLayout.TC_INDEX_OFFSET),
                index -> new ArrayList<>());
            final String text = limitsRate ? kind + " with maxrate" : kind;
            if (!kinds.contains(text))
            {
                kinds.add(text);
            }
        }
    }

    private boolean limitsRateOfFlows()
    {
        return options.wrapNested(attributes).find(LinkPolicyLayout.TCA_FQ_FLOW_MAX_RATE) &&
            options.intValue(UNLIMITED) != UNLIMITED;
    }
}
