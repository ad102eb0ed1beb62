package org.fibnuma.core.service.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The last log lines of this process, for its live page. Lines below the level of the log are not among them.
 * Any thread.
 */
public final class RecentLines implements AutoCloseable
{
    /** Lines kept. A page shows them all. */
    public static final int LINES = 20;
    /** Characters of a line that are kept, so that a page's events stay below 10 KB. */
    static final int LONGEST = 400;

    private final Logger root = (Logger)LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Appender<ILoggingEvent> appender = new AppenderBase<>()
    {
        @Override
        protected void append(final ILoggingEvent event)
        {
            add(event);
        }
    };
    private final Deque<Line> lines = new ArrayDeque<>();
    private long added;

    private record Line(long number, long timeMs, String level, String text)
    {
    }

    private RecentLines()
    {
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
    }

    /** Returns an object that keeps the lines from now on, until it is closed. */
    public static RecentLines keep()
    {
        return new RecentLines();
    }

    private void add(final ILoggingEvent event)
    {
        final String whole = event.getFormattedMessage();
        final String text = whole.length() > LONGEST ? whole.substring(0, LONGEST) + "..." : whole;
        synchronized (lines)
        {
            if (lines.size() == LINES)
            {
                lines.removeLast();
            }
            lines.addFirst(new Line(++added, event.getTimeStamp(), event.getLevel().toString(), text));
        }
    }

    /**
     * Adds a row for each line, the newest first: its {@code number} from 1, {@code timeMs} since 1970, {@code level}
     * and {@code text}.
     */
    public void format(final ArrayNode rows)
    {
        synchronized (lines)
        {
            lines.forEach(line -> rows.addObject()
                .put("number", line.number).put("timeMs", line.timeMs)
                .put("level", line.level).put("text", line.text));
        }
    }

    @Override
    public void close()
    {
        root.detachAppender(appender);
        appender.stop();
    }
}
