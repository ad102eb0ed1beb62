package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.stage.StageTimesReport;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The stages of the data path in their order, with a count of frames and the frames that each one dropped, and the time
 * that each one took for sampled batches.
 */
public final class StagesReport
{
    /** A row for each stage, with what its frames are; every reason to drop a frame belongs to one of them. */
    enum Row
    {
        /** Ordinary frames are those that are not exceptions. */
        FRAME_CLASSIFIER("FrameClassifier", "ordinary", ForwarderCounter.RECEIVED),
        ETHERNET_INPUT("EthernetInput", "received", ForwarderCounter.RECEIVED,
            DropReason.ETHERNET_TOO_SHORT, DropReason.ETHERNET_OTHER_HOST, DropReason.VLAN_RESERVED,
            DropReason.VLAN_UNKNOWN),
        IPV4_INPUT("Ipv4Input", "received", ForwarderCounter.IPV4,
            DropReason.IPV4_TOO_SHORT, DropReason.IPV4_BAD_VERSION, DropReason.IPV4_BAD_HEADER_LENGTH,
            DropReason.IPV4_HEADER_TRUNCATED, DropReason.IPV4_BAD_CHECKSUM, DropReason.IPV4_BAD_TOTAL_LENGTH,
            DropReason.IPV4_TRUNCATED, DropReason.IPV4_MARTIAN_SOURCE, DropReason.IPV4_MARTIAN_DESTINATION,
            DropReason.IPV4_LINK_BROADCAST, DropReason.IPV4_OWN_SOURCE, DropReason.IPV4_BROADCAST_SOURCE),
        IPV6_INPUT("Ipv6Input", "received", ForwarderCounter.IPV6,
            DropReason.IPV6_TOO_SHORT, DropReason.IPV6_BAD_VERSION, DropReason.IPV6_TRUNCATED,
            DropReason.IPV6_MARTIAN_SOURCE, DropReason.IPV6_MARTIAN_DESTINATION, DropReason.IPV6_LINK_BROADCAST,
            DropReason.IPV6_OWN_SOURCE),
        /** One line for both stages, because a reason does not tell which of them it was. */
        ACCESS_LISTS("AccessInput, AccessOutput", "received", ForwarderCounter.RECEIVED,
            DropReason.ACCESS_DENIED, DropReason.ACCESS_PROHIBITED),
        IPV4_REVERSE_PATH("Ipv4ReversePath", "received", ForwarderCounter.IPV4, DropReason.IPV4_REVERSE_PATH),
        IPV4_OPTIONS("Ipv4Options", "exceptions", ForwarderCounter.EXCEPTIONS,
            DropReason.IPV4_BAD_OPTION, DropReason.IPV4_SOURCE_ROUTE),
        IPV4_REWRITE("Ipv4Rewrite", "forwarded", ForwarderCounter.IPV4_FORWARDED,
            DropReason.IPV4_TTL_EXPIRED, DropReason.IPV4_NO_ROUTE, DropReason.IPV4_TOO_BIG,
            DropReason.IPV4_OLD_BROADCAST),
        IPV6_REWRITE("Ipv6Rewrite", "forwarded", ForwarderCounter.IPV6_FORWARDED,
            DropReason.IPV6_HOP_LIMIT, DropReason.IPV6_NO_ROUTE, DropReason.IPV6_TOO_BIG,
            DropReason.IPV6_BEYOND_SCOPE),
        ROUTE_DIVERSION("RouteDiversion", "exceptions", ForwarderCounter.EXCEPTIONS,
            DropReason.ROUTE_BLACKHOLE, DropReason.ROUTE_UNREACHABLE, DropReason.ROUTE_PROHIBIT),
        ICMP_ERRORS("IcmpErrors", "originated", ForwarderCounter.ORIGINATED),
        NEIGHBOR_HOLD("NeighborHold", "held", ForwarderCounter.HELD,
            DropReason.NEIGHBOR_UNRESOLVED, DropReason.HOLD_FULL),
        PUNT_OUTPUT("PuntOutput", "punted", ForwarderCounter.PUNTED,
            DropReason.PUNT_NO_PATH, DropReason.PUNT_FULL, DropReason.PUNT_RATE),
        PAUSE_INPUT("PauseInput", "consumed", ForwarderCounter.CONSUMED),
        IPV4_FRAGMENTER("Ipv4Fragmenter", "fragments", ForwarderCounter.FRAGMENTS, DropReason.FRAGMENT_NO_BUFFER),
        EGRESS_QUEUES("EgressQueues", "forwarded", ForwarderCounter.FORWARDED,
            DropReason.EGRESS_FULL, DropReason.PFC_STORM, DropReason.PFC_BEYOND_HEADROOM),
        HOST_INPUT("HostInput", "fromHost", ForwarderCounter.FROM_HOST);

        private final String label;
        private final String which;
        private final ForwarderCounter frames;
        private final Set<DropReason> reasons;

        Row(final String label, final String which, final ForwarderCounter frames, final DropReason... reasons)
        {
            this.label = label;
            this.which = which;
            this.frames = frames;
            this.reasons = Stream.of(reasons).collect(
                () -> EnumSet.noneOf(DropReason.class), EnumSet::add, EnumSet::addAll);
        }

        /** Returns the reasons for which the stage drops frames. */
        Set<DropReason> reasons()
        {
            return reasons;
        }

        private long framesOf(final FateReport fates)
        {
            return fates.get(frames) - (this == FRAME_CLASSIFIER ? fates.get(ForwarderCounter.EXCEPTIONS) : 0);
        }
    }

    private static final double HUNDREDTHS = 100;

    private StagesReport()
    {
    }

    /**
     * Returns the frames, drops and times of every stage.
     *
     * @param counters of the workers.
     * @return an object with arrays {@code stages} and {@code times}; the latter has the stages that had a frame of a
     *         sampled batch.
     */
    public static ObjectNode of(final CountersReader counters)
    {
        final ObjectNode answer = JsonNodeFactory.instance.objectNode();
        final FateReport fates = FateReport.of(counters);
        final ArrayNode stages = answer.putArray("stages");
        for (final Row row : Row.values())
        {
            stages.addObject()
                .put("stage", row.label)
                .put("frames", row.framesOf(fates))
                .put("which", row.which)
                .put("dropped", row.reasons.stream().mapToLong(fates::get).sum());
        }
        addTimes(answer.putArray("times"), StageTimesReport.of(counters));
        return answer;
    }

    private static void addTimes(final ArrayNode rows, final StageTimesReport times)
    {
        for (final Stage stage : Stage.values())
        {
            final double frames = times.frames(stage);
            if (frames > 0)
            {
                rows.addObject()
                    .put("stage", stage.label())
                    .put("nsPerFrame", rounded(times.nanoseconds(stage) / frames))
                    .put("batch", rounded(frames / times.batches(stage)))
                    .put("sampledFrames", times.frames(stage))
                    .put("sampledBatches", times.batches(stage));
            }
        }
    }

    private static double rounded(final double value)
    {
        return Math.round(value * HUNDREDTHS) / HUNDREDTHS;
    }
}
