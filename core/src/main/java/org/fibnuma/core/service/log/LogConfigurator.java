package org.fibnuma.core.service.log;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;
import org.slf4j.Logger;

/**
 * Sends log lines to standard error, at {@link LogLevel#DEFAULT}; standard output is for results. Logback finds this
 * class by its service file. A configuration in XML would make each start longer. With the system property
 * {@code logback.configurationFile} Logback reads that file instead.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator
{
    private static final String STANDARD_ERROR = "System.err";

    @Override
    public ExecutionStatus configure(final LoggerContext loggers)
    {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null)
        {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        // Without a listener Logback prints its warnings about itself to standard output.
        loggers.getStatusManager().add(new NopStatusListener());

        final LineLayout layout = new LineLayout();
        layout.setContext(loggers);
        layout.start();
        final LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(loggers);
        encoder.setLayout(layout);
        encoder.start();
        final ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(loggers);
        appender.setTarget(STANDARD_ERROR);
        appender.setEncoder(encoder);
        appender.start();
        loggers.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        LogLevel.DEFAULT.apply(loggers);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
