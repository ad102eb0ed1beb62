/**
 * The state of a running router as JSON: scalars, and at most one array of flat objects, so that one printer can print
 * any answer as a table. Control thread.
 */
package org.fibnuma.fibnic.report;
