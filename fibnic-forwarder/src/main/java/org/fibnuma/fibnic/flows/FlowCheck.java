package org.fibnuma.fibnic.flows;

import org.fibnuma.binding.conntrack.ConntrackEntry;
import org.fibnuma.binding.netfilter.FlowLabels;

/** What the entry of a flow in conntrack must be like, under the labels of one ruleset. Immutable: any thread. */
public final class FlowCheck
{
    private final FlowLabels labels;
    private final int slot;
    private final int[] numbers;

    /**
     * Creates a check.
     *
     * @param labels  meaning of the labels of a connection.
     * @param slot    that is in use.
     * @param numbers of the interfaces of the router, by their positions in the labels; negative for none.
     */
    public FlowCheck(final FlowLabels labels, final int slot, final int[] numbers)
    {
        this.labels = labels;
        this.slot = slot;
        this.numbers = numbers.clone();
    }

    /**
     * Compares a flow with its entry: tuples, status and labels.
     *
     * @param entry of the tuple of the flow's initiator, null if there is none.
     * @return how they differ, in one line; null if they do not.
     */
    public String difference(final FlowView flow, final ConntrackEntry entry)
    {
        if (entry == null)
        {
            return "conntrack has no entry";
        }
        if (entry.id() != flow.id())
        {
            return "conntrack has a newer entry of the same tuple";
        }
        if (!entry.original().equals(flow.original()) || !entry.reply().equals(flow.reply()))
        {
            return "the flow has the replies " + flow.reply() + ", and the entry is " + entry.original() +
                ", replies " + entry.reply();
        }
        final FlowRefusal refusal = FlowRefusal.of(entry);
        if (refusal != null)
        {
            return "the entry would be refused: " + refusal.text();
        }
        return interfaceOf(entry, FlowLabels.ORIGINAL) != flow.ingress() ||
            interfaceOf(entry, FlowLabels.REPLY) != flow.replyIngress() ?
            "the labels of the entry are not those of the flow's interfaces" : null;
    }

    private int interfaceOf(final ConntrackEntry entry, final int direction)
    {
        final int code = pathOrReverse(labels, slot, entry, direction);
        return code <= 0 ? -1 : numbers[labels.ingress(code)];
    }

    /** Returns what {@link FlowLabels#path} returns about the labels of an entry, which may have no room for any. */
    static int path(final FlowLabels labels, final int slot, final ConntrackEntry entry, final int direction)
    {
        return entry.hasLabels() ?
            labels.path(entry.labelsLow(), entry.labelsHigh(), direction, slot) : FlowLabels.NONE;
    }

    /**
     * Returns {@link #path}, or the path of the other direction in reverse if only that one has labels. A flowtable of
     * the kernel takes the packets of both directions after one packet, and uses the same two interfaces.
     */
    static int pathOrReverse(
        final FlowLabels labels, final int slot, final ConntrackEntry entry, final int direction)
    {
        final int path = path(labels, slot, entry, direction);
        final int other = path(labels, slot, entry,
            direction == FlowLabels.ORIGINAL ? FlowLabels.REPLY : FlowLabels.ORIGINAL);
        return path == FlowLabels.NONE && other > 0 ? labels.reverse(other) : path;
    }
}
