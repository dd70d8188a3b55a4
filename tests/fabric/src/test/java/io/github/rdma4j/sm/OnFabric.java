// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * A test class that needs OpenSM and ibsim, but no kernel with RDMA: Maven runs it on this machine, in a network namespace
 * of its own.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface OnFabric {}
