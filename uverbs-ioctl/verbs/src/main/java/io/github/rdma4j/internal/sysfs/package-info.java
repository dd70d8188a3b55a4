// SPDX-License-Identifier: Apache-2.0
/** What sysfs says, read as text, numbers and device numbers. */
@NullMarked
package io.github.rdma4j.internal.sysfs;

import org.jspecify.annotations.NullMarked;
