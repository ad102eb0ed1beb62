package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.ipnuma.channel.PeerChannel;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** An error inside a channel leaves the schedule half changed. */
class PeerScheduleTest
{
    private final PeerSchedule schedule = new PeerSchedule();
    private String faulty = "";
    private int polls;
    private int publications;
    private long nowNs = 1_000_000;

    private Object call(final Object proxy, final Method method, final Object[] arguments)
    {
        if (method.getName().equals(faulty))
        {
            throw new InternalError(faulty);
        }
        switch (method.getName())
        {
            case "poll":
                polls++;
                return 0;
            case "dueNs":
                return (long)arguments[0] + 1000;
            case "publish":
                publications++;
                return true;
            case "hashCode":
                return 1;
            default:
                throw new AssertionError(method + " of " + proxy);
        }
    }

    private int cycle()
    {
        nowNs += 2 * PeerSchedule.LINGER_NS;
        schedule.begin(nowNs);
        final int before = polls;
        schedule.poll();
        return polls - before;
    }

    @Test
    void shouldPollAndPublishAChannelAgainAfterAnErrorAndARestart()
    {
        schedule.add((PeerChannel)Proxy.newProxyInstance(
            PeerChannel.class.getClassLoader(), new Class<?>[] {PeerChannel.class}, this::call));
        assertEquals(1, cycle());
        schedule.beginPublication();
        for (final String method : new String[] {"poll", "dueNs", "publish"})
        {
            faulty = method;
            assertThrows(InternalError.class, () ->
            {
                for (int i = 0; i < 3; i++)
                {
                    cycle();
                    schedule.beginPublication();
                    schedule.publish();
                }
            });
            faulty = "";
            schedule.restart();
            assertEquals(1, schedule.readyCount());
            assertEquals(1, cycle(), method);
            assertEquals(0, schedule.readyCount());
            assertEquals(1, schedule.waitingCount());
            assertEquals(1, cycle(), method);
            publications = 0;
            schedule.beginPublication();
            schedule.publish();
            assertEquals(1, publications, method);
        }
    }
}
