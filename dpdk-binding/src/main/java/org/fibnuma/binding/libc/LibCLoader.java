package org.fibnuma.binding.libc;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;

/** Loads the C library once, with jnr-ffi set right. */
final class LibCLoader
{
    static final LibC LIBRARY;
    static final Runtime RUNTIME;

    private static final String STUBS_PROPERTY = "jnr.ffi.x86asm.enabled";

    static
    {
        // jnr-ffi's hand-assembled x86-64 stubs pass a wrong sixth integer argument; read once, when it loads.
        if (System.getProperty(STUBS_PROPERTY) == null)
        {
            System.setProperty(STUBS_PROPERTY, "false");
        }
        LIBRARY = LibraryLoader.create(LibC.class).load("c");
        RUNTIME = Runtime.getRuntime(LIBRARY);
    }

    private LibCLoader()
    {
    }
}
