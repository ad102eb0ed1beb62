package org.fibnuma.bench.system;

import org.fibnuma.fibnic.datapath.ForwarderContext;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A test over the wires of the lab that all these tests share. */
@ExtendWith(LabExtension.class)
abstract class WireTest
{
    /** Set by {@link LabExtension}. */
    RouterLab lab;

    /** Sends frames from host a and observes all hosts. */
    final Observation fromA(final String... frames)
    {
        return Observation.of(lab, lab.a(), frames);
    }

    /** Sends frames from host b and observes all hosts. */
    final Observation fromB(final String... frames)
    {
        return Observation.of(lab, lab.b(), frames);
    }

    /** The router drops frames of host a for a reason, and sends nothing. */
    final void assertDropped(final String reason, final String... frames)
    {
        final Observation seen = fromA(frames);
        seen.assertSilence();
        seen.assertDropped(reason);
    }

    /** The router sends nothing on account of these frames of host a. */
    final void assertSilence(final String... frames)
    {
        fromA(frames).assertSilence();
    }

    /** A flood of a frame of host a gets as many errors as the default limit allows; the others are counted. */
    final void assertErrorsLimited(final String reason, final String frame)
    {
        lab.assumeRouter("the kernel's limit is not ours");
        final int floods = 2000;
        final Fates before = lab.fates();
        lab.a().clear();
        final long startNs = System.nanoTime();
        lab.a().send(floods, Duration.ZERO, frame);
        final Fates after = Observation.awaitReceived(lab, before, floods);
        assertEquals(floods, after.count(reason), after::toString);
        final long errors = floods - after.count("icmpSuppressed");
        final long most = ForwarderContext.DEFAULT_ICMP_ERROR_BURST + 1 + (System.nanoTime() - startNs) *
            ForwarderContext.DEFAULT_ICMP_ERRORS_PER_SECOND / TimeUnit.SECONDS.toNanos(1);
        assertTrue(errors >= 40 && errors <= most, () -> "at most " + most + ": " + after);
        assertEquals(errors, lab.a().receive((int)errors, Observation.PATIENCE).size());
        assertEquals(0, lab.a().receive(1, Duration.ofMillis(300)).size(), "more errors than were counted");
        // Until the router may send errors again.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
}
