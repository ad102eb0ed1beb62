package org.fibnuma.pfc.simulator;

import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeDivisor;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.policy.PauseUpkeep;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The simulator against {@link SlowSwitch}, packet for packet. */
class SlowSwitchTest
{
    private static final int PORTS = 16;
    private static final int SLOTS = 40_000;

    @ParameterizedTest
    @CsvSource({
        "POOC, 64, 0.75, 8, 1, PAPER", "CDPTC, 64, 0.75, 8, 1, PAPER", "CDPTC, 16, 0.75, 4, 2, PAPER",
        "CDPTC, 128, 0.75, 16, 3, PAPER", "CDPTC, 128, 0.85, 16, 3, PAPER", "POOC, 64, 0.85, 16, 3, PAPER",
        "CDPTC, 64, 1, 8, 4, PAPER", "POOC, 64, 0.75, 8, 1, ROUTER", "CDPTC, 64, 0.75, 8, 1, ROUTER",
        "CDPTC, 16, 0.75, 4, 2, ROUTER", "CDPTC, 128, 0.85, 16, 3, ROUTER", "CDPTC, 64, 1, 8, 4, ROUTER"})
    void shouldAgreePacketForPacket(
        final PausePolicyKind policy, final int divisor, final double load, final double burst, final long seed,
        final PauseUpkeep upkeep)
    {
        for (final Arbitration arbitration : Arbitration.values())
        {
            final SimulationSettings settings = new SimulationSettings(
                PORTS, load, policy, new PauseTimeLaw(7, PauseTimeDivisor.of(divisor)), burst, seed, SLOTS,
                arbitration, upkeep);
            final SimulationResult result = PauseSimulation.run(settings);
            final List<Long> expected = SlowSwitch.run(settings);
            assertTrue(expected.get(0) > 0);
            assertEquals(
                expected,
                List.of(
                    Math.round(result.controlPacketsPerPort() * PORTS), result.lost(),
                    Math.round(result.throughput() * PORTS * SLOTS)),
                arbitration.key());
        }
    }
}
