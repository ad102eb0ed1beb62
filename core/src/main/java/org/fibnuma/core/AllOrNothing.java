package org.fibnuma.core;

import org.agrona.CloseHelper;

/** Opens what has several parts: whole, or not at all. */
public final class AllOrNothing
{
    private AllOrNothing()
    {
    }

    /**
     * Opens the parts. Where one fails, those that are open are closed again; that closing may fail too does not hide
     * why.
     *
     * @param whole   nothing of which is open yet; closes those of its parts that are.
     * @param opening of its parts.
     * @param <T>     what is opened.
     * @param <E>     how the opening may fail beside unchecked exceptions.
     * @return the same, open.
     * @throws E as the opening does.
     */
    public static <T extends AutoCloseable, E extends Exception> T open(final T whole, final Opening<T, E> opening)
        throws E
    {
        boolean complete = false;
        try
        {
            opening.open(whole);
            complete = true;
            return whole;
        }
        finally
        {
            if (!complete)
            {
                CloseHelper.quietClose(whole);
            }
        }
    }

    /**
     * Opens all parts of something.
     *
     * @param <T> what is opened.
     * @param <E> how that may fail beside unchecked exceptions.
     */
    @FunctionalInterface
    public interface Opening<T, E extends Exception>
    {
        /**
         * Opens them.
         *
         * @param whole to which they belong.
         * @throws E where that fails.
         */
        void open(T whole) throws E;
    }
}
