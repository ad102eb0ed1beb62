package org.fibnuma.core;

import org.agrona.CloseHelper;

/** Opens a resource that has several parts, completely or not at all. */
public final class AllOrNothing
{
    private AllOrNothing()
    {
    }

    /**
     * Opens the parts. If one fails, the whole is closed; a failure of that close is suppressed.
     *
     * @param whole   no part of which is open yet; its close method closes the open parts.
     * @param opening opens the parts.
     * @param <T>     type of the resource.
     * @param <E>     checked exception of the opening.
     * @return {@code whole}, open.
     * @throws E if the opening throws it.
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
     * Opens all parts of a resource.
     *
     * @param <T> type of the resource.
     * @param <E> checked exception of the opening.
     */
    @FunctionalInterface
    public interface Opening<T, E extends Exception>
    {
        /** Opens all parts of {@code whole}. */
        void open(T whole) throws E;
    }
}
