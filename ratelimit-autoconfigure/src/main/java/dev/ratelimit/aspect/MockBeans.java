package dev.ratelimit.aspect;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Tells mocks that a test puts in the place of beans: they are not advised, and need not
 * be.
 */
final class MockBeans {

	private static final @Nullable Method MOCKING_DETAILS = mockitoMethod("org.mockito.Mockito", "mockingDetails",
			Object.class);

	private static final @Nullable Method IS_MOCK = mockitoMethod("org.mockito.MockingDetails", "isMock");

	private MockBeans() {
	}

	static boolean isMock(@Nullable Object bean) {
		if (bean == null || MOCKING_DETAILS == null || IS_MOCK == null) {
			return false;
		}
		Object details = ReflectionUtils.invokeMethod(MOCKING_DETAILS, null, bean);
		return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(IS_MOCK, details));
	}

	private static @Nullable Method mockitoMethod(String className, String name, Class<?>... parameters) {
		ClassLoader classLoader = MockBeans.class.getClassLoader();
		return ClassUtils.isPresent(className, classLoader)
				? ReflectionUtils.findMethod(ClassUtils.resolveClassName(className, classLoader), name, parameters)
				: null;
	}

}
