package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A program that forwards from the source to the sink of a {@link ForwardRig}. */
interface Contender
{
    /** Returns the contender's name in the results. */
    String name();

    /**
     * Starts the contender.
     *
     * @param rig  devices, files and core to forward with.
     * @param kind capture that the frames come from.
     * @return the running contender; the caller closes it.
     */
    Running start(ForwardRig rig, CaptureKind kind);

    /**
     * A running contender.
     *
     * @param name      contender's name for error messages.
     * @param pid       id of the process.
     * @param alive     returns whether the process still runs.
     * @param errors    returns the lines that the process has written to standard error.
     * @param telemetry connection to the process's DPDK telemetry.
     * @param stop      ends the process.
     */
    record Running(
        String name,
        long pid,
        BooleanSupplier alive,
        Supplier<List<String>> errors,
        DpdkTelemetry telemetry,
        Runnable stop)
        implements AutoCloseable
    {
        private static final int SOURCE = 0;
        private static final int SINK = 1;
        private static final String RECEIVED = "ipackets";
        private static final String SENT = "opackets";
        /** More frames than any contender has on their way from the source to the sink. */
        private static final int UNDER_WAY = 4096;
        private static final Duration KILL_PATIENCE = Duration.ofSeconds(10);

        /**
         * Returns the rate at which the sink's driver receives frames.
         *
         * @param warmUp   time before the measurement starts.
         * @param duration time of the measurement.
         * @return millions a second.
         * @throws UserException if the contender ends, or does not send every frame of the source to the sink: a router
         *                       drops frames without a route or sends them elsewhere, which takes less time.
         */
        double measure(final Duration warmUp, final Duration duration)
        {
            try
            {
                Thread.sleep(warmUp.toMillis());
                final DpdkTelemetry.Reading before = telemetry.read(SINK, SENT);
                final DpdkTelemetry.Reading receivedBefore = telemetry.read(SOURCE, RECEIVED);
                Thread.sleep(duration.toMillis());
                final DpdkTelemetry.Reading receivedAfter = telemetry.read(SOURCE, RECEIVED);
                final DpdkTelemetry.Reading after = telemetry.read(SINK, SENT);
                if (!alive.getAsBoolean())
                {
                    throw new UserException(name + " ended by itself: " + String.join(" | ", errors.get()));
                }
                requireAll(name, receivedAfter.count() - receivedBefore.count(), after.count() - before.count());
                return after.rateSince(before);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                throw new UserException("interrupted", ex);
            }
        }

        /**
         * Checks that a contender sends what it receives.
         *
         * @param name     contender's name.
         * @param received frames that it received from the source.
         * @param sent     frames that it sent to the sink in a time that contains the other's.
         * @throws UserException if more frames are missing than can be on their way.
         */
        static void requireAll(final String name, final long received, final long sent)
        {
            if (sent < received - UNDER_WAY)
            {
                throw new UserException(name + " received " + received + " frames and sent only " + sent +
                    " of them to the next hops: a rate of such a run cannot be compared");
            }
        }

        /** Stops the process (SIGSTOP), so that others have its core; it forwards again after {@link #resume()}. */
        void suspend()
        {
            signal("STOP");
        }

        /** Lets a stopped process run again (SIGCONT). */
        void resume()
        {
            signal("CONT");
        }

        private void signal(final String signal)
        {
            ChildProcess.run(KILL_PATIENCE, "sh", "-c", "kill -s " + signal + " " + pid);
        }

        /** Ends the process; it is not stopped. */
        @Override
        public void close()
        {
            stop.run();
            telemetry.close();
        }
    }
}
