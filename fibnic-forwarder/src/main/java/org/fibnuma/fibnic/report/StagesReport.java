package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.util.EnumSet;
import java.util.Set;

/** The stages of the pipeline in their order, with the frames that reached and the frames that each one dropped. */
public final class StagesReport
{
    private static final Set<DropReason> ETHERNET_INPUT =
        EnumSet.of(DropReason.ETHERNET_TOO_SHORT, DropReason.ETHERNET_OTHER_HOST);
    private static final Set<DropReason> IPV4_INPUT =
        EnumSet.range(DropReason.IPV4_TOO_SHORT, DropReason.IPV4_LINK_BROADCAST);
    private static final Set<DropReason> IPV4_REWRITE =
        EnumSet.range(DropReason.IPV4_TTL_EXPIRED, DropReason.ROUTE_PROHIBIT);
    private static final Set<DropReason> NEIGHBOR_HOLD =
        EnumSet.of(DropReason.NEIGHBOR_UNRESOLVED, DropReason.HOLD_FULL);
    private static final Set<DropReason> PUNT_OUTPUT =
        EnumSet.of(DropReason.PUNT_NO_PATH, DropReason.PUNT_FULL, DropReason.PUNT_RATE);

    private final FateReport fates;
    private final ArrayNode stages;

    private StagesReport(final FateReport fates, final ArrayNode stages)
    {
        this.fates = fates;
        this.stages = stages;
    }

    /**
     * Returns the frames and drops of every stage.
     *
     * @param counters of the workers.
     * @return an object with an array {@code stages}.
     */
    public static ObjectNode of(final CountersReader counters)
    {
        final ObjectNode answer = JsonNodeFactory.instance.objectNode();
        final FateReport fates = FateReport.of(counters);
        final StagesReport report = new StagesReport(fates, answer.putArray("stages"));
        report.add(
            "FrameClassifier", "ordinary",
            fates.get(ForwarderCounter.RECEIVED) - fates.get(ForwarderCounter.EXCEPTIONS),
            EnumSet.noneOf(DropReason.class));
        report.addInputs();
        report.add("Ipv4Rewrite", "consumed", fates.get(ForwarderCounter.CONSUMED), IPV4_REWRITE);
        report.add(
            "Ipv4Fragmenter", "fragments", fates.get(ForwarderCounter.FRAGMENTS),
            EnumSet.of(DropReason.FRAGMENT_NO_BUFFER));
        report.add(
            "EgressQueues", "forwarded", fates.get(ForwarderCounter.FORWARDED), EnumSet.of(DropReason.EGRESS_FULL));
        report.add(
            "IcmpErrors", "originated", fates.get(ForwarderCounter.ORIGINATED), EnumSet.noneOf(DropReason.class));
        report.add("NeighborHold", "held", fates.get(ForwarderCounter.HELD), NEIGHBOR_HOLD);
        report.add("PuntOutput", "punted", fates.get(ForwarderCounter.PUNTED), PUNT_OUTPUT);
        report.add(
            "HostInput", "fromHost", fates.get(ForwarderCounter.FROM_HOST), EnumSet.noneOf(DropReason.class));
        return answer;
    }

    private void addInputs()
    {
        long rest = fates.get(ForwarderCounter.RECEIVED);
        rest = add("EthernetInput", "received", rest, ETHERNET_INPUT);
        rest = add("Ipv4Input", "received", rest, IPV4_INPUT);
        add("Ipv4ReversePath", "received", rest, EnumSet.of(DropReason.IPV4_REVERSE_PATH));
    }

    private long add(final String stage, final String what, final long frames, final Set<DropReason> reasons)
    {
        long dropped = 0;
        for (final DropReason reason : reasons)
        {
            dropped += fates.get(reason);
        }
        stages.addObject().put("stage", stage).put("frames", frames).put("which", what).put("dropped", dropped);
        return frames - dropped;
    }
}
