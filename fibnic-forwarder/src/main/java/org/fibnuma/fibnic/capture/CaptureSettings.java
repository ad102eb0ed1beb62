package org.fibnuma.fibnic.capture;

import org.fibnuma.core.filter.FilterProgram;

/**
 * The frames that a capture contains.
 *
 * @param received   ports whose received frames are captured, one bit for each index.
 * @param sent       ports whose sent frames are captured.
 * @param dropped    ports of which received frames are captured when they are dropped.
 * @param snapLength most bytes kept of a frame, 1 to {@link #MAX_SNAP_LENGTH}.
 * @param filter     accepts the frames to capture; null for all.
 */
public record CaptureSettings(long received, long sent, long dropped, int snapLength, FilterProgram filter)
{
    /** More than the bytes of any frame. */
    public static final int MAX_SNAP_LENGTH = 65_535;

    /** Returns all ports of which any frame is captured, one bit for each index. */
    public long ports()
    {
        return received | sent | dropped;
    }
}
