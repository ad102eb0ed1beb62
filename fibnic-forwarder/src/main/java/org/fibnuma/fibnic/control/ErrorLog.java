package org.fibnuma.fibnic.control;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.memory.SharedFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs exceptions of duty cycles. A repeated error is counted and logged once a second only: a duty cycle that always
 * fails does not fill the disk.
 */
final class ErrorLog implements ErrorHandler
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ErrorLog.class);
    private static final long REPEAT_INTERVAL_MS = 1000;

    private final String who;
    private final EpochClock clock;
    private String last = "";
    private long lastMs;
    private long repeated;

    ErrorLog(final String who, final EpochClock clock)
    {
        this.who = who;
        this.clock = clock;
    }

    @Override
    public synchronized void onError(final Throwable throwable)
    {
        final String restored = throwable instanceof InternalError ? SharedFiles.restore() : null;
        final String error = restored == null ? throwable.toString() : restored;
        final long nowMs = clock.time();
        if (error.equals(last) && nowMs - lastMs < REPEAT_INTERVAL_MS)
        {
            repeated++;
            return;
        }
        if (error.equals(last))
        {
            LOGGER.error("{}: {} ({} times more)", who, error, repeated);
        }
        else if (restored != null)
        {
            LOGGER.error("{}: {}", who, error);
        }
        else
        {
            LOGGER.error("{}: {}", who, error, throwable);
        }
        last = error;
        lastMs = nowMs;
        repeated = 0;
    }
}
