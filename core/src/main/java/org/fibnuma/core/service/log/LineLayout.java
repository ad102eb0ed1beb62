package org.fibnuma.core.service.log;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.classic.util.LevelToSyslogSeverity;
import ch.qos.logback.core.LayoutBase;

/**
 * Formats log events. For the journal an event is one line with its stack trace. It begins with its priority as
 * {@code <6>} (sd-daemon(3)); the journal adds the time. Otherwise a line begins with time and level, and a stack trace
 * follows it.
 */
public final class LineLayout extends LayoutBase<ILoggingEvent>
{
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %msg%n";
    private static final String LINE_BREAKS = "\\s*\\R\\s*";
    private static final String SEPARATOR = " | ";

    private final PatternLayout plain = new PatternLayout();
    private final boolean forJournal;

    /** Creates the layout for standard error, which may be connected to the journal. */
    public LineLayout()
    {
        this(JournalStream.isStandardError());
    }

    LineLayout(final boolean forJournal)
    {
        this.forJournal = forJournal;
    }

    @Override
    public void start()
    {
        plain.setContext(getContext());
        plain.setPattern(PATTERN);
        plain.start();
        super.start();
    }

    @Override
    public String doLayout(final ILoggingEvent event)
    {
        return forJournal ? journalLine(event) : plain.doLayout(event);
    }

    private static String journalLine(final ILoggingEvent event)
    {
        final IThrowableProxy thrown = event.getThrowableProxy();
        final String text =
            event.getFormattedMessage() + (thrown == null ? "" : "\n" + ThrowableProxyUtil.asString(thrown));
        return "<" + LevelToSyslogSeverity.convert(event) + ">" +
            text.strip().replaceAll(LINE_BREAKS, SEPARATOR) + System.lineSeparator();
    }
}
