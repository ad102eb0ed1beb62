package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.core.UserException;

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
     * @param rig devices, files and core to forward with.
     * @return the running contender; the caller closes it.
     */
    Running start(ForwardRig rig);

    /**
     * A running contender.
     *
     * @param name      contender's name for error messages.
     * @param alive     returns whether the process still runs.
     * @param errors    returns the lines that the process has written to standard error.
     * @param telemetry connection to the process's DPDK telemetry.
     * @param stop      ends the process.
     */
    record Running(
        String name, BooleanSupplier alive, Supplier<List<String>> errors, DpdkTelemetry telemetry, Runnable stop)
        implements AutoCloseable
    {
        private static final int SINK = 1;
        private static final String SENT = "opackets";

        /**
         * Returns the rate at which the sink's driver receives frames.
         *
         * @param warmUp   time before the measurement starts.
         * @param duration time of the measurement.
         * @return millions a second.
         */
        double measure(final Duration warmUp, final Duration duration)
        {
            try
            {
                Thread.sleep(warmUp.toMillis());
                final DpdkTelemetry.Reading before = telemetry.read(SINK, SENT);
                Thread.sleep(duration.toMillis());
                final DpdkTelemetry.Reading after = telemetry.read(SINK, SENT);
                if (!alive.getAsBoolean())
                {
                    throw new UserException(name + " ended by itself: " + String.join(" | ", errors.get()));
                }
                return after.rateSince(before);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                throw new UserException("interrupted", ex);
            }
        }

        @Override
        public void close()
        {
            stop.run();
            telemetry.close();
        }
    }
}
