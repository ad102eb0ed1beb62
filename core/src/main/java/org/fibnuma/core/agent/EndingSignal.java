package org.fibnuma.core.agent;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Records the signal that ends this process, which the JVM does not pass to a shutdown hook. A handler of SIGHUP,
 * SIGINT and SIGTERM records the name and calls the JVM's handler. {@code sun.misc.Signal} of the module
 * jdk.unsupported is used by reflection, because a direct use causes a warning of javac that cannot be suppressed.
 */
final class EndingSignal implements InvocationHandler
{
    private static final String[] NAMES = {"HUP", "INT", "TERM"};

    private static boolean isRecording;
    private static volatile String received;

    private final String name;
    private final Method handle;
    /** Handler of the JVM, which starts the shutdown; guarded by the class. */
    private Object next;

    private EndingSignal(final String name, final Method handle)
    {
        this.name = name;
        this.handle = handle;
    }

    /**
     * Starts to record; further calls have no effect. Ignored signals remain ignored. With the JVM option -Xrs no
     * signal is recorded.
     */
    static synchronized void record()
    {
        for (int i = 0; i < NAMES.length && !isRecording; i++)
        {
            record(NAMES[i]);
        }
        isRecording = true;
    }

    /** Returns the name of the last of these signals, such as SIGTERM, or null if none has arrived. */
    static String received()
    {
        return received;
    }

    private static void record(final String shortName)
    {
        try
        {
            final EndingSignal ending = new EndingSignal("SIG" + shortName,
                Class.forName("sun.misc.SignalHandler").getMethod("handle", Class.forName("sun.misc.Signal")));
            ending.next = install(shortName, ending);
        }
        catch (final ReflectiveOperationException ignore)
        {
            // No signal is recorded.
        }
    }

    /** Replaces the effect of a signal, such as HUP, if this JVM handles it. */
    static void install(final String shortName, final Runnable action)
    {
        try
        {
            install(shortName, (proxy, method, arguments) ->
            {
                if ("handle".equals(method.getName()))
                {
                    action.run();
                    return null;
                }
                return method.invoke(action, arguments);
            });
        }
        catch (final ReflectiveOperationException ignore)
        {
            // The signal keeps its effect.
        }
    }

    private static Object install(final String shortName, final InvocationHandler invoked)
        throws ReflectiveOperationException
    {
        final Class<?> signal = Class.forName("sun.misc.Signal");
        final Class<?> handler = Class.forName("sun.misc.SignalHandler");
        return signal.getMethod("handle", signal, handler).invoke(
            null,
            signal.getConstructor(String.class).newInstance(shortName),
            Proxy.newProxyInstance(EndingSignal.class.getClassLoader(), new Class<?>[]{handler}, invoked));
    }

    @Override
    public Object invoke(final Object proxy, final Method method, final Object[] arguments)
        throws IllegalAccessException, InvocationTargetException
    {
        if (!method.equals(handle))
        {
            return method.invoke(this, arguments);
        }
        received = name;
        final Object installed;
        synchronized (EndingSignal.class)
        {
            installed = next;
        }
        return handle.invoke(installed, arguments);
    }
}
