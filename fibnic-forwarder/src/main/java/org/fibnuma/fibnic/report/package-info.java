/**
 * The state of a running router as JSON: scalars and arrays of flat objects, so that one printer can print any answer
 * as tables. Control thread.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.report;
