package org.fibnuma.pfc.headroom;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a lossless priority of one ingress port needs.
 *
 * @param xoff  bytes to keep free for what arrives after the pause was decided.
 * @param xon   bytes that may wait when the sender is let go again.
 * @param size  of both together.
 * @param terms what these are made of, by name, in the order of the formula; in bytes unless the name says otherwise.
 */
public record Headroom(long xoff, long xon, long size, Map<String, Number> terms)
{
    /** Keeps the order of the terms. */
    public Headroom
    {
        terms = Collections.unmodifiableMap(new LinkedHashMap<>(terms));
    }

    static Headroom of(final long xoff, final long xon, final Map<String, Number> terms)
    {
        return new Headroom(xoff, xon, xoff + xon, terms);
    }
}
