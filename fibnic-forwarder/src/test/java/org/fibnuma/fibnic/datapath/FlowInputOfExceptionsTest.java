package org.fibnuma.fibnic.datapath;

import java.util.function.Consumer;

/** Every frame passes as an exception and has the same fate. */
class FlowInputOfExceptionsTest extends FlowInputTest
{
    @Override
    RouterFixture router(final Consumer<ForwarderContext> settings)
    {
        return RouterFixture.ofExceptions(3, settings);
    }
}
