package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The router's counters tell what it received. */
class TestTrafficTest
{
    private static final int FRAMES = 40;
    private static final int LENGTH = 62;

    @ParameterizedTest
    @EnumSource(names = {"IPV4", "IPV6", "OPTIONS", "FRAGMENT"})
    void shouldSendFramesThatAreForwarded(final TestFrameKind kind)
    {
        assertEquals(FRAMES, fatesOf(kind).get(ForwarderCounter.FORWARDED));
    }

    @ParameterizedTest
    @EnumSource(names = {"ARP", "ND"})
    void shouldSendFramesForTheKernel(final TestFrameKind kind)
    {
        assertEquals(FRAMES, fatesOf(kind).get(ForwarderCounter.PUNTED));
    }

    @ParameterizedTest
    @CsvSource({"EXPIRED,IPV4_TTL_EXPIRED", "EXPIRED6,IPV6_HOP_LIMIT"})
    void shouldSendFramesThatExpire(final TestFrameKind kind, final DropReason reason)
    {
        assertEquals(FRAMES, fatesOf(kind).get(reason));
    }

    @ParameterizedTest
    @EnumSource(names = {"UNRESOLVED", "UNRESOLVED6"})
    void shouldSendFramesThatWaitForANeighbour(final TestFrameKind kind)
    {
        final FateReport fates = fatesOf(kind);
        assertEquals(FRAMES, fates.get(ForwarderCounter.HELD) + fates.get(DropReason.HOLD_FULL) +
            fates.get(DropReason.NEIGHBOR_UNRESOLVED));
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendTheFamilyOfTheKind(final TestFrameKind kind)
    {
        assertEquals(kind.isIpv6() ? FRAMES : 0, fatesOf(kind).get(ForwarderCounter.IPV6));
    }

    private static FateReport fatesOf(final TestFrameKind kind)
    {
        try (PipelineRig rig = new PipelineRig(DualStackTable.open("generated:100", "generated:100")))
        {
            rig.connectUnresolved();
            final TestTraffic traffic = rig.traffic(LENGTH);
            for (int i = 0; i < FRAMES; i++)
            {
                traffic.offer(0, kind);
            }
            traffic.flush();
            rig.router().doWork();
            // An idle duty cycle publishes the counters.
            rig.router().doWork();
            return rig.fates();
        }
    }
}
