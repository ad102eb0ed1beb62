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
    /** Its name in the results. */
    String name();

    /**
     * Starts it.
     *
     * @param rig to forward in.
     * @return at work, to be closed.
     */
    Running start(ForwardRig rig);

    /**
     * A contender at work.
     *
     * @param name      for messages.
     * @param alive     whether it still runs.
     * @param errors    what it complained.
     * @param telemetry of its process.
     * @param stop      ends it.
     */
    record Running(
        String name, BooleanSupplier alive, Supplier<List<String>> errors, DpdkTelemetry telemetry, Runnable stop)
        implements AutoCloseable
    {
        private static final int SINK = 1;
        private static final String SENT = "opackets";

        /**
         * Frames that the sink's driver got.
         *
         * @param warmUp   before anything is counted.
         * @param duration of the measurement.
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
