package org.fibnuma.ipnuma.wire;

/** Completion status (PCI Express Base Specification, table 2-39). */
public final class CompletionStatus
{
    /** The request succeeded. */
    public static final int SUCCESSFUL = 0;
    /** The completer does not support the request or does not own the address. */
    public static final int UNSUPPORTED_REQUEST = 1;
    /** The completer could not execute the request. */
    public static final int COMPLETER_ABORT = 4;

    private CompletionStatus()
    {
    }
}
