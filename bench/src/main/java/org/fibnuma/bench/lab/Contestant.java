package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A forwarder that is measured in turn with others in one rig. In every round it is started, warms up, is measured and
 * is stopped, while no other contestant runs.
 *
 * @param <R> rig: devices, files and cores that the contestants use one after the other.
 */
public interface Contestant<R>
{
    /** Returns the contestant's name in the results. */
    String name();

    /**
     * Returns why the contestant cannot run on this machine.
     *
     * @return one line with what is missing and how to install it, or null if nothing is missing.
     */
    default String missing()
    {
        return null;
    }

    /**
     * Starts to forward.
     *
     * @param rig devices, files and cores to forward with.
     * @return the running contestant; the caller closes it.
     * @throws UserException if it does not start.
     */
    Running start(R rig);

    /**
     * A running contestant. Closing it stops the forwarding.
     *
     * @param name      contestant's name for error messages.
     * @param pid       id of the process, 0 if the kernel forwards.
     * @param alive     returns whether it still runs.
     * @param errors    returns the lines that the process has written to standard error.
     * @param telemetry connection to the process's DPDK telemetry, or null.
     * @param stop      stops it.
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
        private static final Duration SIGNAL_PATIENCE = Duration.ofSeconds(10);

        /**
         * Returns a running router.
         *
         * @param name      contestant's name for error messages.
         * @param router    its process, closed with the contestant.
         * @param telemetry connection to the process's DPDK telemetry, or null.
         */
        public static Running of(final String name, final RouterProcess router, final DpdkTelemetry telemetry)
        {
            return new Running(name, router.pid(), router::isAlive, router::errors, telemetry, router::close);
        }

        /**
         * Returns a running program.
         *
         * @param name      contestant's name for error messages.
         * @param program   its process, closed with the contestant.
         * @param telemetry connection to the process's DPDK telemetry, or null.
         */
        public static Running of(final String name, final ChildProcess program, final DpdkTelemetry telemetry)
        {
            return new Running(name, program.pid(), program::isAlive, program::errors, telemetry, program::close);
        }

        /**
         * Checks that the contestant still runs, so that the frames that were counted are its frames.
         *
         * @throws UserException if the contestant has ended by itself.
         */
        public void verify()
        {
            if (!alive.getAsBoolean())
            {
                throw new UserException(name + " ended by itself: " + String.join(" | ", errors.get()));
            }
        }

        /** Stops the process (SIGSTOP), so that others have its core; it forwards again after {@link #resume()}. */
        public void suspend()
        {
            signal("STOP");
        }

        /** Lets a stopped process run again (SIGCONT). */
        public void resume()
        {
            signal("CONT");
        }

        private void signal(final String signal)
        {
            ChildProcess.run(SIGNAL_PATIENCE, "sh", "-c", "kill -s " + signal + " " + pid);
        }

        @Override
        public void close()
        {
            stop.run();
            if (telemetry != null)
            {
                telemetry.close();
            }
        }
    }
}
