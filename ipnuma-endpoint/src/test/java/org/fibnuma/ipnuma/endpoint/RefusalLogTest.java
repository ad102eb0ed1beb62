package org.fibnuma.ipnuma.endpoint;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class RefusalLogTest
{
    private final Logger logger = (Logger)LoggerFactory.getLogger(RefusalLog.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final RefusalLog log = new RefusalLog("2 10.9.0.2 fibnuma");

    @BeforeEach
    void listen()
    {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stopListening()
    {
        logger.detachAppender(appender);
    }

    @Test
    void shouldSayWhyAtMostOnceInAnInterval()
    {
        log.write(-5);
        assertEquals(List.of(), lines());
        log.refused("not sealed");
        for (long nowNs = -5; nowNs < RefusalLog.INTERVAL_NS - 5; nowNs += RefusalLog.INTERVAL_NS / 100)
        {
            log.write(nowNs);
            log.refused("not sealed");
        }
        assertEquals(List.of("peer 2 10.9.0.2 fibnuma: datagrams refused=1: not sealed"), lines());
        log.refused("its seal is invalid");
        log.write(RefusalLog.INTERVAL_NS - 5);
        log.write(3 * RefusalLog.INTERVAL_NS);
        assertEquals(2, lines().size());
        assertEquals("peer 2 10.9.0.2 fibnuma: datagrams refused=101: its seal is invalid", lines().get(1));
    }

    private List<String> lines()
    {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
