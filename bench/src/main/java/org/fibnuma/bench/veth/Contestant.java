package org.fibnuma.bench.veth;

import org.fibnuma.core.UserException;

/** Something that forwards from {@code r0} to {@code r1} of a {@link VethRig}. */
interface Contestant
{
    /** Its name in the results. */
    String name();

    /**
     * Why it cannot take part here.
     *
     * @return one line with what is missing and how to get it, or null.
     */
    String missing();

    /**
     * Starts to forward.
     *
     * @param rig to forward in.
     * @return to be closed when it shall stop.
     */
    Running start(VethRig rig);

    /** A contestant at work. */
    interface Running extends AutoCloseable
    {
        /**
         * Makes sure that what was measured was it.
         *
         * @throws UserException where it has ended by itself.
         */
        void verify();

        /** Stops it. */
        @Override
        void close();
    }
}
