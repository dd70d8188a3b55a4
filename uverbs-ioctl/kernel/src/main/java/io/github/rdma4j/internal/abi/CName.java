// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The C spelling of a member path or constant where it does not follow from the Java name, such as {@code grh.dgid}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface CName {
    /** The C expression. */
    String value();

    /**
     * The kernel release that added the constant of an enum, if newer than the oldest headers that rdma4j is built
     * with; empty otherwise. Older headers cannot check the constant.
     */
    String since() default "";
}
