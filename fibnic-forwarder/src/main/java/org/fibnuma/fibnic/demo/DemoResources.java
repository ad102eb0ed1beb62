package org.fibnuma.fibnic.demo;

import org.fibnuma.core.UserException;

import java.util.ArrayDeque;
import java.util.Deque;

/** Open resources of a demo, closed in reverse order. For one thread. */
final class DemoResources implements AutoCloseable
{
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    /** Adds a resource to be closed; returns it. */
    <T extends AutoCloseable> T keep(final T resource)
    {
        resources.push(resource);
        return resource;
    }

    @Override
    public void close()
    {
        while (!resources.isEmpty())
        {
            try
            {
                resources.pop().close();
            }
            catch (final Exception ex)
            {
                throw new UserException("could not clean up: " + ex.getMessage(), ex);
            }
        }
    }
}
