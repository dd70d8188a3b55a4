// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that every {@code static final} number of this class is a C constant of the same name ({@link CName} gives
 * another) in one of the named headers.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface KernelConstants {
    /** The headers that a C program has to include to see the constants. */
    String[] value();

    /**
     * The kernel release that brought it, for example {@code 6.18}, when that is newer than the oldest headers that
     * rdma4j is built with; empty otherwise. Against headers without it nothing can be checked.
     */
    String since() default "";
}
