package org.fibnuma.fibnic.command;

import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Collections;

/** Logs, and prints how many service files name a configurator of the log. */
final class LoggingProgram
{
    static final String SERVICE_FILE = "META-INF/services/ch.qos.logback.classic.spi.Configurator";
    static final String TEXT = "this is for standard error";

    private LoggingProgram()
    {
    }

    public static void main(final String[] arguments) throws IOException
    {
        LoggerFactory.getLogger(LoggingProgram.class).info(TEXT);
        System.out.println(Collections.list(
            LoggingProgram.class.getClassLoader().getResources(SERVICE_FILE)).size());
    }
}
