package org.fibnuma.pfc.simulator;

import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeDivisor;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.policy.PauseUpkeep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The paper's statements over five seeds, and invariants of any simulation. */
class PauseSimulationTest
{
    private static final int SEEDS = 5;
    private static final int SLOTS = 60_000;
    private static final double PAPERS_GAIN = 7;
    /** Tolerance for the sum of five seeds when pauses already have the maximum length. */
    private static final double NOISE = 0.05;

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16})
    void shouldSaveMostControlPacketsAndLoseNothing(final int burst)
    {
        for (int seed = 1; seed <= SEEDS; seed++)
        {
            final SimulationSettings settings = settings(burst, seed);
            final SimulationResult onOff = run(settings, PausePolicyKind.POOC, PauseTimeLaw.DEFAULT);
            final SimulationResult computed = run(settings, PausePolicyKind.CDPTC, withFactorFour(PAPERS_GAIN));
            assertTrue(
                computed.controlPacketsPerPort() <= 0.2 * onOff.controlPacketsPerPort(),
                "seed " + seed + ": " + computed.controlPacketsPerPort() + " of " + onOff.controlPacketsPerPort());
            assertEquals(0, onOff.lost());
            assertEquals(0, computed.lost());
        }
    }

    /** BYTES_OVER_512 with twice the gain is PRINTED ({@code PauseTimeLawTest}). */
    @ParameterizedTest
    @EnumSource(names = {"PRINTED", "WITH_FACTOR_FOUR"})
    void shouldNotSendMoreWithMoreGain(final PauseTimeDivisor divisor)
    {
        double fewest = Double.MAX_VALUE;
        for (int step = 0; step < 4; step++)
        {
            double frames = 0;
            for (int seed = 1; seed <= SEEDS; seed++)
            {
                frames += run(
                    settings(8, seed), PausePolicyKind.CDPTC, new PauseTimeLaw(4 + 2 * step, divisor))
                    .controlPacketsPerPort();
            }
            assertTrue(frames <= fewest * (1 + NOISE), frames + " in step " + step + " after " + fewest);
            fewest = Math.min(fewest, frames);
        }
    }

    @Test
    void shouldPauseForLongerAtLeastWithMoreGain()
    {
        double smallestBefore = 0;
        for (final int gain : new int[]{4, 7, 10})
        {
            final SimulationResult result =
                run(settings(8, 1), PausePolicyKind.CDPTC, withFactorFour(gain));
            assertTrue(result.pauseQuanta().min() > smallestBefore, result.toString());
            assertEquals(65_535, result.pauseQuanta().max());
            smallestBefore = result.pauseQuanta().min();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16})
    void shouldDoBetterWithOneFrameForAllQueues(final int burst)
    {
        double ours = 0;
        double papers = 0;
        double oursDelivered = 0;
        double papersDelivered = 0;
        for (int seed = 1; seed <= 2; seed++)
        {
            final SimulationSettings settings = longer(settings(burst, seed));
            final SimulationResult drain = run(settings, PausePolicyKind.DRAIN, PauseTimeLaw.DEFAULT);
            final SimulationResult computed = run(settings, PausePolicyKind.CDPTC, PauseTimeLaw.DEFAULT);
            ours += drain.controlPacketsPerPort();
            papers += computed.controlPacketsPerPort();
            oursDelivered += drain.throughput();
            papersDelivered += computed.throughput();
            assertEquals(0, drain.lost());
        }
        assertTrue(ours < papers, ours + " frames, C-DPTC " + papers);
        assertTrue(oursDelivered >= papersDelivered, oursDelivered + " delivered, C-DPTC " + papersDelivered);
    }

    /** The pauses of the router: a queue that ends its pause at the low mark never runs empty for it. */
    @ParameterizedTest
    @EnumSource(PausePolicyKind.class)
    void shouldDeliverMoreWherePausesAreEndedAtTheLowMark(final PausePolicyKind policy)
    {
        final SimulationSettings settings = settings(8, 1).with(policy, PauseTimeLaw.DEFAULT);
        final SimulationResult paper = PauseSimulation.run(settings);
        final SimulationResult router = PauseSimulation.run(settings.with(PauseUpkeep.ROUTER));
        assertEquals(0, router.lost());
        assertEquals(0, router.underflows(), router.toString());
        assertTrue(router.throughput() >= paper.throughput(), router + ", paper " + paper);
    }

    @Test
    void shouldBeAFunctionOfItsSettings()
    {
        for (final PausePolicyKind policy : PausePolicyKind.values())
        {
            final SimulationSettings settings = settings(8, 3).with(policy, PauseTimeLaw.DEFAULT);
            assertEquals(PauseSimulation.run(settings), PauseSimulation.run(settings));
            assertNotEquals(
                PauseSimulation.run(settings),
                PauseSimulation.run(settings(8, 4).with(policy, PauseTimeLaw.DEFAULT)));
        }
    }

    @Test
    void shouldDeliverWhatIsOfferedWhereNothingIsInTheWay()
    {
        // One packet per burst at a low load: queues stay short, nothing is paused, all packets are delivered.
        final SimulationResult result = PauseSimulation.run(new SimulationSettings(
            16, 0.3, PausePolicyKind.POOC, PauseTimeLaw.DEFAULT, 1, 1, SLOTS, Arbitration.ALL_HEADS,
            PauseUpkeep.PAPER));
        assertEquals(0.3, result.throughput(), 0.005);
        assertEquals(0, result.controlPacketsPerPort());
        assertEquals(new SimulationResult.PauseTimes(0, 0, 0), result.pauseQuanta());
        assertEquals(SLOTS * 12_144e-9, result.seconds(), 1e-9);
    }

    private static SimulationSettings settings(final int burst, final long seed)
    {
        return new SimulationSettings(
            32, 0.75, PausePolicyKind.POOC, PauseTimeLaw.DEFAULT, burst, seed, SLOTS, Arbitration.ALL_HEADS,
            PauseUpkeep.PAPER);
    }

    /** Long enough that the first pauses, before anything has left, do not matter. */
    private static SimulationSettings longer(final SimulationSettings settings)
    {
        return new SimulationSettings(
            settings.ports(), settings.load(), settings.policy(), settings.law(), settings.burst(), settings.seed(),
            2 * SLOTS, settings.arbitration(), settings.upkeep());
    }

    private static PauseTimeLaw withFactorFour(final double gain)
    {
        return new PauseTimeLaw(gain, PauseTimeDivisor.WITH_FACTOR_FOUR);
    }

    private static SimulationResult run(
        final SimulationSettings settings, final PausePolicyKind policy, final PauseTimeLaw law)
    {
        return PauseSimulation.run(settings.with(policy, law));
    }
}
