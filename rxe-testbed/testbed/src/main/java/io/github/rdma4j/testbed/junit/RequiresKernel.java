// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Skips a class or a test if the kernel on which it runs is older than a release. On a kernel that is new enough the
 * test must run: an assumption or a condition that skips it is a failure there. {@code @Disabled} remains possible.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KernelCondition.class)
public @interface RequiresKernel {
    /** The first release that has what the test needs, such as {@code "6.12"}. */
    String value();
}
