// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

/** Marks the classes of this jar that have the names of DiSNI's own, so that {@link ClassPath} can tell them apart. */
public interface Replacement {}
