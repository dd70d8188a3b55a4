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
 * Skips a class or a test on a kernel that is older than a release. On a newer kernel the test must run: an assumption
 * or a condition that skips the test is a failure, except {@code @Disabled}.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KernelCondition.class)
public @interface RequiresKernel {
    /** The first release on which the test can run, such as {@code "6.12"}. */
    String value();
}
