package org.fibnuma.bench.system;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One {@link RouterLab} with one running router for all test classes. With
 * {@code -Dfibnuma.system.reference=kernel} the kernel of the router's host forwards instead: the same tests, without
 * the counters, against an implementation that everybody trusts.
 */
final class LabExtension implements BeforeAllCallback, ParameterResolver
{
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LabExtension.class);
    private static final boolean KERNEL = "kernel".equals(System.getProperty("fibnuma.system.reference"));

    @Override
    public void beforeAll(final ExtensionContext context)
    {
        Require.root();
        Require.scapy();
        Require.program("ip", "iproute2");
        Require.program("nft", "nftables");
        Require.program("ping", "iputils-ping");
        LabDevice.chosen().require();
        lab(context);
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

    @Override
    public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context)
    {
        return parameter.getParameter().getType() == RouterLab.class;
    }

    @Override
    public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context)
    {
        return lab(context);
    }
}
