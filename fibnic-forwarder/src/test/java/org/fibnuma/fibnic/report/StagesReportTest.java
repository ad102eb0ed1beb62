package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.PortDrops;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.ByteBuffer;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class StagesReportTest
{
    private final CountersManager counters = new CountersManager(buffer(4 << 20), buffer(1 << 20));
    private final FateCounters fates =
        new FateCounters(counters, 0, List.of("p0"), new PortDrops(1).ofWorker(0));

    private static UnsafeBuffer buffer(final int length)
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    /** The drops of all rows add up to the drops of the router. */
    @ParameterizedTest
    @EnumSource
    void shouldCountEachReasonInOneRow(final DropReason reason)
    {
        fates.dropped(0, reason.id());
        fates.publish();
        int dropped = 0;
        for (final JsonNode row : StagesReport.of(counters).get("stages"))
        {
            dropped += row.get("dropped").asInt();
        }
        assertEquals(1, dropped);
    }

    @Test
    void shouldNameBothStagesThatDropForOneReason()
    {
        fates.dropped(0, DropReason.ACCESS_DENIED.id());
        fates.dropped(0, DropReason.ROUTE_UNREACHABLE.id());
        fates.publish();
        for (final JsonNode row : StagesReport.of(counters).get("stages"))
        {
            final String stage = row.get("stage").asText();
            final boolean isShared =
                stage.equals("AccessInput, AccessOutput") || stage.equals("Ipv4Rewrite, Ipv6Rewrite");
            assertEquals(isShared ? 1 : 0, row.get("dropped").asInt(), stage);
        }
    }
}
