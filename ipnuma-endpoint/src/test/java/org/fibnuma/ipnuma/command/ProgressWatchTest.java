package org.fibnuma.ipnuma.command;

import org.fibnuma.core.service.notify.ServiceNotificationsFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProgressWatchTest
{
    private static final long WATCHDOG_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long MANY_INTERVALS_MS = 100;

    private final List<String> sent = new CopyOnWriteArrayList<>();

    @Test
    @Timeout(60)
    void shouldReportWhileTheEndpointRunsAndNoLonger() throws InterruptedException
    {
        try (ProgressWatch watch =
            ProgressWatch.start(ServiceNotificationsFixture.watched(WATCHDOG_NS, sent)))
        {
            Thread.sleep(MANY_INTERVALS_MS);
            assertEquals(List.of(), sent, "no duty cycle yet");
            while (sent.size() < 3)
            {
                watch.onCycle();
                Thread.sleep(1);
            }
            Thread.sleep(MANY_INTERVALS_MS);
            final int reported = sent.size();
            Thread.sleep(MANY_INTERVALS_MS);
            assertEquals(reported, sent.size(), "nothing runs");
        }
        assertTrue(sent.stream().allMatch("WATCHDOG=1"::equals), sent::toString);
    }
}
