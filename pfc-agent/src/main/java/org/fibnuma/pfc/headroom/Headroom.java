package org.fibnuma.pfc.headroom;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The buffer that a lossless priority of one ingress port needs.
 *
 * @param xoff  bytes to keep free for what arrives after a pause is sent.
 * @param xon   bytes that may wait when the sender may continue.
 * @param size  bytes of buffer that only this priority uses: the sum of both unless the model has another rule.
 * @param terms of the formula by name, in its order; in bytes unless the name contains another unit.
 */
public record Headroom(long xoff, long xon, long size, Map<String, Number> terms)
{
    /** Makes the terms immutable. */
    public Headroom
    {
        terms = Collections.unmodifiableMap(new LinkedHashMap<>(terms));
    }

    static Headroom of(final long xoff, final long xon, final Map<String, Number> terms)
    {
        return new Headroom(xoff, xon, xoff + xon, terms);
    }
}
