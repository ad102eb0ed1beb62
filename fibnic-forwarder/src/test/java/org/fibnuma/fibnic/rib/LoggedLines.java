package org.fibnuma.fibnic.rib;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;

import java.util.List;

/** What a class writes to the log. */
public final class LoggedLines
{
    private LoggedLines()
    {
    }

    /** Returns the messages that a class logs during an action. */
    public static List<String> of(final Class<?> type, final Runnable action)
    {
        final Logger logger = (Logger)LoggerFactory.getLogger(type);
        final ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try
        {
            action.run();
        }
        finally
        {
            logger.detachAppender(log);
        }
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
