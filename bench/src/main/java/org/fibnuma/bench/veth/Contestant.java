package org.fibnuma.bench.veth;

import org.fibnuma.core.UserException;

/** A program that forwards from {@code r0} to {@code r1} of a {@link VethRig}. */
interface Contestant
{
    /** Returns the contestant's name in the results. */
    String name();

    /**
     * Returns why the contestant cannot run on this machine.
     *
     * @return one line with what is missing and how to install it, or null if nothing is missing.
     */
    String missing();

    /**
     * Starts to forward.
     *
     * @param rig interfaces and cores to forward with.
     * @return the running contestant; closing it stops the forwarding.
     */
    Running start(VethRig rig);

    /** A running contestant. */
    interface Running extends AutoCloseable
    {
        /**
         * Checks that the contestant still runs, so that the frames that were counted are its frames.
         *
         * @throws UserException if the contestant has ended by itself.
         */
        void verify();

        /** Stops the contestant. */
        @Override
        void close();
    }
}
