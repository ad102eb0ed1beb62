/** Test frames, answers to them, and traffic of lossless priorities. */
@org.fibnuma.core.Internal
package org.fibnuma.bench.traffic;
