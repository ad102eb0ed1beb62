package org.fibnuma.bench.system;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;

/**
 * One {@link RouterLab} with one running router for all test classes. With
 * {@code -Dfibnuma.system.reference=kernel} the kernel of the router's host forwards instead: the same tests, without
 * the counters, against an implementation that everybody trusts.
 */
final class LabExtension implements BeforeAllCallback, TestInstancePostProcessor
{
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LabExtension.class);
    private static final boolean KERNEL = "kernel".equals(System.getProperty("fibnuma.system.reference"));

    @Override
    public void beforeAll(final ExtensionContext context)
    {
        lab(context);
    }

    @Override
    public void postProcessTestInstance(final Object test, final ExtensionContext context)
    {
        ((WireTest)test).lab = lab(context);
    }

    private static RouterLab lab(final ExtensionContext context)
    {
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent(RouterLab.class, key -> open(), RouterLab.class);
    }

    private static RouterLab open()
    {
        final RouterLab lab = RouterLab.open("lab");
        if (!KERNEL)
        {
            lab.startRouter();
        }
        return lab;
    }
}
