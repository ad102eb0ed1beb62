package org.fibnuma.bench.lab;

import java.util.Locale;
import java.util.Map;

/**
 * The routers between a client and a server.
 *
 * @param count number of them.
 * @param kind  what they are, null if there are none.
 */
public record Routers(int count, Kind kind)
{
    /** Client and server without a router between them. */
    public static final Routers NONE = new Routers(0, null);

    /** Programs that forward. */
    public enum Kind
    {
        /** The kernel itself, without a process. */
        KERNEL,
        /** Fibnuma over AF_XDP, a process for each router. */
        FIBNUMA;

        /** Returns the name in options and results. */
        public String label()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns routers of a kind, {@link #NONE} for a count of 0. */
    public static Routers of(final int count, final Kind kind)
    {
        return count == 0 ? NONE : new Routers(count, kind);
    }

    /** Returns as many routers of the kernel, with which these are compared. */
    public Routers peer()
    {
        return of(count, Kind.KERNEL);
    }

    /** Adds the fields {@code routers} and {@code router} to a row of a result. */
    public void addTo(final Map<String, Object> row)
    {
        row.put("routers", count);
        row.put("router", kind == null ? null : kind.label());
    }

    /** Returns text for people, such as {@code 4 kernel routers}. */
    @Override
    public String toString()
    {
        return count == 0 ? "no router" : count + " " + kind.label() + (count == 1 ? " router" : " routers");
    }
}
